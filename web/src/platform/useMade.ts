import { useEffect, useEffectEvent, useState } from 'react';

/** What this browser makes of something, once for each key. Undefined until it is there, or is known to fail. */
export function useMade<Made>(key: string, make: () => Promise<Made>): Made | 'failed' | undefined {
  const [made, setMade] = useState<{ key: string; value: Made | 'failed' }>();
  const begin = useEffectEvent(make);
  useEffect(() => {
    let isLeft = false;
    const take = (value: Made | 'failed') => {
      if (!isLeft) setMade({ key, value });
    };
    begin().then(take, () => take('failed'));
    return () => {
      isLeft = true;
    };
  }, [key]);
  return made?.key === key ? made.value : undefined;
}
