/**
 * What the server said last, and what was spent here that it has not yet answered for. `told` is another one each time
 * that it spoke unasked: an answer that was on its way meanwhile is older than that.
 */
export type Balance = { confirmed: number; told: symbol | null; holds: { key: string; cost: number }[] };

export function shownCredits({ confirmed, holds }: Balance): number {
  return Math.max(
    0,
    holds.reduce((rest, hold) => rest - hold.cost, confirmed),
  );
}

export function addHold(balance: Balance, key: string, cost: number): Balance {
  return { ...balance, holds: [...balance.holds, { key, cost }] };
}

export function dropHold(balance: Balance, key: string): Balance {
  return { ...balance, holds: balance.holds.filter((hold) => hold.key !== key) };
}

/** The server said so unasked, in the order in which it happened. */
export function tellCredits(balance: Balance | undefined, credits: number): Balance {
  return { ...confirmCredits(balance, credits), told: Symbol('told') };
}

/** A new truth from the server. A fall explains the oldest holds, so that nothing is taken off twice. */
export function confirmCredits(balance: Balance | undefined, credits: number): Balance {
  if (balance === undefined) return { confirmed: credits, told: null, holds: [] };
  let fallen = balance.confirmed - credits;
  const holds = balance.holds.filter((hold) => {
    if (hold.cost > fallen) return true;
    fallen -= hold.cost;
    return false;
  });
  return { ...balance, confirmed: credits, holds };
}
