import { describe, expect, it } from 'vitest';
import { isErrorCode } from './errors.ts';
import { describeFields, findTool, isToolId, missingCode, type Tool, toolIds, tools } from './tools.ts';

describe.each(toolIds)('the tool %s', (id) => {
  const tool: Tool = tools[id];

  it('names a known error for each field that may be empty', () => {
    for (const name of Object.keys(tool.fields)) expect(isErrorCode(missingCode(name))).toBe(true);
  });

  it('costs at least one credit and waits for a bounded time', () => {
    expect(tool.cost).toBeGreaterThanOrEqual(1);
    expect(tool.patience.everyMs * tool.patience.tries).toBeLessThanOrEqual(600_000);
  });

  it('describes its fields in their order', () => {
    expect(describeFields(tool).map((field) => (field as { name: string }).name)).toEqual(Object.keys(tool.fields));
  });

  it('shows a picture that it has', () => {
    if (tool.shows.kind === 'compare') expect(tool.fields[tool.shows.before]?.kind).toBe('image');
    expect(tool.file.name).toMatch(/^[a-z-]+$/);
  });
});

describe('a tool id', () => {
  it.each(['__proto__', 'constructor', 'toString', '', 'REMOVER'])('is not %j', (id) => {
    expect(isToolId(id)).toBe(false);
    expect(findTool(id)).toBeUndefined();
  });

  it('gives the error code of an empty field', () => {
    expect(missingCode('modelImage')).toBe('model_image_required');
    expect(missingCode('targetModelId')).toBe('target_model_required');
  });
});
