import { expect, it } from 'vitest';
import { describeFields } from '@plinth/contract/tool-fields';
import { tools } from '@plinth/contract/tools';
import { Counter } from 'prom-client';
import { makeEngine } from './engine.ts';
import { mappings } from './mappings.ts';

it('says of hair that it cannot put on, before anybody pays, that the own hair stays', () => {
  const requests = new Counter({ name: 'requests', help: 'of the test', registers: [] });
  const { abilities } = makeEngine({ url: '', key: '', callOf: (tool) => mappings[tool].engine, requests });
  expect(describeFields(tools['headshot-generator'], abilities)).toContainEqual({
    name: 'hairStyle',
    type: 'choice',
    required: false,
    options: ['user_hair', 'target_hair'],
    default: 'user_hair',
    instead: { target_hair: 'The built-in engine keeps your own hair.' },
  });
});
