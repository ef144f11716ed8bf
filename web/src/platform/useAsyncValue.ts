import { useEffect, useEffectEvent, useState } from 'react';

/** Loads or computes a value once per key. Undefined until it is ready or has failed. */
export function useAsyncValue<Value>(key: string, load: () => Promise<Value>): Value | 'failed' | undefined {
  const [settled, setSettled] = useState<{ key: string; value: Value | 'failed' }>();
  const start = useEffectEvent(load);
  useEffect(() => {
    let isLeft = false;
    const settle = (value: Value | 'failed') => {
      if (!isLeft) setSettled({ key, value });
    };
    start().then(settle, () => settle('failed'));
    return () => {
      isLeft = true;
    };
  }, [key]);
  return settled?.key === key ? settled.value : undefined;
}
