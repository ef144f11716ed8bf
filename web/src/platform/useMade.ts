import { useEffect, useEffectEvent, useState } from 'react';

/** Computes a value in this browser once per key. Undefined until it is ready or has failed. */
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
