import { useEffect, useState } from 'react';
import type * as PhoneBars from './PhoneBars.tsx';
import { PHONE } from '../platform/media-query.ts';
import type * as SidebarFile from './Sidebar.tsx';

type Bars = { phone?: typeof PhoneBars; wide?: typeof SidebarFile };

// Only the bars that this width needs are loaded. Not with React.lazy: it would show the screen first and its bars a
// noticeable moment later.
let loaded: Bars = {};

async function loadBars(isPhone: boolean): Promise<void> {
  if (isPhone) loaded = { ...loaded, phone: await import('./PhoneBars.tsx') };
  else loaded = { ...loaded, wide: await import('./Sidebar.tsx') };
}

/** The layout together with the bars of the present width, so that both appear at once. */
export async function importLayout() {
  const [layout] = await Promise.all([import('./DashboardLayout.tsx'), loadBars(window.matchMedia(PHONE).matches)]);
  return layout;
}

/** The bars that are loaded; the other kind follows when the window changes. */
export function useBars(isPhone: boolean): Bars {
  const [bars, setBars] = useState(loaded);
  useEffect(() => {
    if ((isPhone ? loaded.phone : loaded.wide) === undefined) void loadBars(isPhone).then(() => setBars(loaded));
  }, [isPhone]);
  return bars;
}
