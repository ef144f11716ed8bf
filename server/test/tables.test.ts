import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { generate, PostgresDialect } from 'kysely-codegen';
import { expect, it } from 'vitest';
import { makeDatabase } from './database.ts';

const TABLES = join(import.meta.dirname, '..', 'src', 'platform', 'data', 'tables.d.ts');

/** Columns whose values are narrower than their type: our own words, and JSON in our shapes. */
const NARROWER = {
  customImports: {
    CreditReason: '@plinth/contract/credits',
    DeletionCause: '@plinth/contract/media',
    DeliveryStatus: '@plinth/contract/webhooks',
    FailureCode: '@plinth/contract/generations',
    GenerationStatus: '@plinth/contract/generations',
    PackageKey: '@plinth/contract/payments',
    LookSettings: '@plinth/contract/looks',
    PurchaseStatus: '@plinth/contract/payments',
    PackSubject: '@plinth/contract/packs',
    ReturnReason: '@plinth/contract/generations',
    Role: '@plinth/contract/pack-names',
    PlacedProduct: '@plinth/contract/placement',
    ToolId: '@plinth/contract/tools',
    WebhookEvent: '@plinth/contract/webhooks',
    WebhookMessage: '@plinth/contract/webhooks',
  },
  overrides: {
    columns: {
      'credit_ledger.reason': 'CreditReason',
      'generated_media.deletion_cause': 'DeletionCause | null',
      'generated_media.pack_subject': 'PackSubject | null',
      'generations.error_code': 'FailureCode | null',
      'generations.input': 'Record<string, string>',
      'generations.placement': 'PlacedProduct | null',
      'generations.status': 'Generated<GenerationStatus>',
      'generations.tool': 'ToolId',
      'idempotency_keys.body': 'object | null',
      'looks.settings': 'LookSettings',
      'purchases.package': 'PackageKey',
      'purchases.status': 'Generated<PurchaseStatus>',
      'refused_choices.tool': 'ToolId',
      'receipts.billing': 'object | null',
      'receipts.seller': 'object',
      'return_counts.reason': 'ReturnReason',
      'runs.fields': 'Record<string, string>',
      'run_items.role': 'Role | null',
      'runs.look': 'LookSettings | null',
      'runs.tool': 'ToolId',
      'uploads.deletion_cause': 'DeletionCause | null',
      'user_events.body': 'unknown',
      'webhook_deliveries.event': 'WebhookMessage',
      'webhook_deliveries.status': 'Generated<DeliveryStatus>',
      'webhook_endpoints.events': 'WebhookEvent[]',
    },
  },
};

it('the types of rows are those of the migrations; `npx vitest run test/tables.test.ts -u` writes them anew', async () => {
  const database = await makeDatabase();
  try {
    const written = await generate({
      db: database.db,
      dialect: new PostgresDialect(),
      camelCase: true,
      // Libraries' tables, and views, whose columns are those of tables.
      excludePattern:
        '{pgboss.*,*.{migrations,request_limits,buyers,people,items_with_packs,ledger_*,media_sources,queued_generations}}',
      // As the pool parses them.
      typeMapping: { int8: 'number' },
      ...NARROWER,
    });
    await expect(format(written)).toMatchFileSnapshot(TABLES);
  } finally {
    await database.drop();
  }
});

/** In the format of that file. */
function format(source: string): string {
  const bin = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'oxfmt');
  return execFileSync(process.execPath, [bin, '--stdin-filepath', TABLES], { input: source, encoding: 'utf8' });
}
