/** Which methods a path knows, so that a wrong method is no unknown path; `url` as the route was written. */
export type RouteTable = { url: string; pattern: RegExp; methods: string[] }[];

export function rememberRoute(routes: RouteTable, method: string | string[], url: string): void {
  if (url === '*' || url === '/*') return;
  const source = url
    .split('/')
    .map((part) =>
      part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`),
    )
    .join('/');
  routes.push({ url, pattern: new RegExp(`^${source}$`), methods: [method].flat() });
}

/** Methods of a path, sorted; empty when no route knows the path. */
export function allowedMethods(routes: RouteTable, url: string): string[] {
  const path = url.split('?')[0] ?? url;
  return [...new Set(routes.filter((route) => route.pattern.test(path)).flatMap((route) => route.methods))].sort();
}
