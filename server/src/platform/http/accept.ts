/** What a header of wishes (RFC 9110, 12.4.2) names, in small letters and its order; a weight of 0 refuses it. */
export function readWishes(header: string | undefined): { name: string; weight: number }[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((wish) => {
      const [name = '', ...parameters] = wish.split(';').map((part) => part.trim());
      const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 };
    });
}
