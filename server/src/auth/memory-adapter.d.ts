declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  import type { AdapterConstructor } from 'oidc-provider';
  /** Rows in memory, shared by all that this process makes. */
  export function createMemoryAdapter(clockToleranceSeconds: number): AdapterConstructor;
}
