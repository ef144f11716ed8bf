import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { json, startServer } from '../../test/server.ts';
import { createApi } from './api.ts';
import { pagesQuery } from './pages.ts';

test('a list that is not awaited any more is not read to its end', async () => {
  const { origin, asked } = await startServer({ 'GET /list': json({ items: [1], nextCursor: 'next' }) });
  const queryClient = new QueryClient();
  const query = pagesQuery(createApi({ origin }), ['list'], '/list?limit=1', z.number());
  const reading = queryClient.fetchInfiniteQuery({ ...query, pages: 5 });
  await queryClient.cancelQueries({ queryKey: ['list'] });
  await reading.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked.length).toBeLessThan(2);
});
