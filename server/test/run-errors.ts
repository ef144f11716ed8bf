import type { ErrorCode } from '@plinth/contract/errors';
import { sql } from 'kysely';
import type { TestApp } from './app.ts';
import { makeItem, makeRun, openRun, submitItem, type TestUser } from './makers.ts';

/** A code's status and a request that causes it. */
export type Case = { status: number; detail: string; provoke: () => Promise<Response>; retry?: true };

const API = '/api/v1';

/** The codes of runs; `of` returns values that exist only while the tests run. */
export const runCases = (of: () => { app: TestApp; user: TestUser }) =>
  ({
    run_closed: {
      status: 409,
      detail: 'This catalogue takes no more photos.',
      provoke: async () => {
        const { id } = await makeRun(of().user);
        await of().user.fetch(`${API}/runs/${id}/close`, { method: 'POST' });
        return submitItem(of().user, id);
      },
    },
    sku_in_use: {
      status: 409,
      detail: 'This SKU is already in the catalogue.',
      provoke: async () => {
        const { id } = await makeRun(of().user);
        await makeItem(of().user, id, { sku: 'M-01' });
        return submitItem(of().user, id, { sku: 'M-01' });
      },
    },
    name_required: { status: 422, detail: 'Please enter a name', provoke: () => openRun(of().user, { name: ' ' }) },
    name_too_long: {
      status: 422,
      detail: 'The name must be at most 100 characters long',
      provoke: () => openRun(of().user, { name: 'x'.repeat(101) }),
    },
    tool_not_for_runs: {
      status: 422,
      detail: 'This tool cannot be used for a catalogue.',
      provoke: () => openRun(of().user, { tool: 'dress-change' }),
    },
    height_invalid: {
      status: 422,
      detail: 'A height must be between 0.1 and 1000 cm.',
      provoke: async () => submitItem(of().user, (await makeRun(of().user)).id, { texts: { heightCm: '12,5 cm' } }),
    },
    item_field_invalid: {
      status: 422,
      detail: 'Some values of this photo are not valid.',
      provoke: async () => submitItem(of().user, (await makeRun(of().user)).id, { texts: { asin: 'b0' } }),
    },
    unknown_pack: {
      status: 422,
      detail: 'This marketplace is not known.',
      provoke: () => openRun(of().user, { packs: ['bazaar'] }),
    },
    run_full: {
      status: 422,
      detail: 'A catalogue has at most 500 photos.',
      provoke: async () => {
        const { id } = await makeRun(of().user);
        await sql`
        with made as (insert into generations (id, user_id, tool, cost, input, run_id, status, created_at, finished_at, error_code)
          select 'gen_full' || n, ${of().user.id}, 'remover', 1, '{}', ${id}, 'canceled', now(), now(), 'canceled'
          from generate_series(1, 500) n returning id)
        insert into run_items (id, run_id, generation_id, created_at) select 'itm_' || id, ${id}, id, now() from made`.execute(
          of().app.db,
        );
        return submitItem(of().user, id);
      },
    },
    sku_invalid: {
      status: 422,
      detail: 'Use letters, digits, dots, dashes and underscores in the SKU.',
      provoke: async () => submitItem(of().user, (await makeRun(of().user)).id, { sku: '..' }),
    },
  }) satisfies Partial<Record<ErrorCode, Case>>;
