import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isErrorCode } from './errors.ts';
import { costRange } from './cost-range.ts';
import { costOf, describeFields, missingCode, pictureFields } from './tool-fields.ts';
import { findTool, isToolId, nameTool, toolIds, tools } from './tools.ts';
import type { Tool } from './tool.ts';

describe.each(toolIds)('the tool %s', (id) => {
  const tool: Tool = tools[id];

  it('has a known error code for each field that may be empty', () => {
    const required = Object.keys(tool.fields).filter((name) => 'missing' in tool.fields[name]!);
    expect(required.length).toBeGreaterThan(0);
    for (const name of required) expect(isErrorCode(missingCode(name)), name).toBe(true);
  });

  it('costs at least one credit and waits for a bounded time', () => {
    expect(tool.cost).toBeGreaterThanOrEqual(1);
    expect(tool.patience.everyMs * tool.patience.tries).toBeLessThanOrEqual(600_000);
  });

  it('describes its fields in their order', () => {
    const names = (takesGuides: boolean) =>
      describeFields(tool, { minSide: 64, maxSide: 16_384, maxRatio: 8, takesGuides }).map(
        (field) => (field as { name: string }).name,
      );
    expect(names(true)).toEqual(Object.keys(tool.fields));
    expect(names(false)).toEqual(
      Object.keys(tool.fields).filter((name) => !['marks', 'placement'].includes(tool.fields[name]?.kind ?? '')),
    );
    for (const field of Object.values(tool.fields)) {
      if (field.kind === 'marks') expect(tool.fields[field.of]?.kind).toBe('image');
    }
  });

  it('offers choices that the API accepts, and shows every field', () => {
    for (const field of Object.values(tool.fields)) {
      if (field.kind !== 'choice') continue;
      expect(field.values).toContain(field.fallback);
      for (const { value } of field.options) expect(field.values).toContain(value);
    }
    expect([...(tool.shown ?? Object.keys(tool.fields))].sort()).toEqual(Object.keys(tool.fields).sort());
  });

  it('can be reached from the sidebar, or from a tool in it', () => {
    if (tool.menu === null) expect(findTool(tool.besides ?? '')?.menu).toMatch(/\w/);
    else expect(tool.besides).toBeNull();
  });

  it('has no empty sentence', () => {
    const { failures, ...says } = tool.says;
    for (const [name, sentence] of Object.entries({ ...says, ...failures })) {
      expect(sentence, name).toMatch(/^\w/);
      expect(sentence, name).toBe(sentence.trim());
      // Only these two replace `{status}`; any other would show the braces.
      if (!['submitStatus', 'checkStatus'].includes(name)) expect(sentence, name).not.toMatch(/[{}]/);
    }
  });

  it('has requirements that the user can meet', () => {
    const kinds = Object.values(tool.fields).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'marks').length).toBeLessThanOrEqual(1);
    for (const { says, met } of tool.requirements) {
      expect(says).toMatch(/^[A-Z]/);
      if (met === 'images') expect(kinds).toContain('image');
    }
  });

  it('polls the provider for at least the time that most generations take', () => {
    expect(tool.patience.everyMs * tool.patience.tries).toBeGreaterThanOrEqual(tool.usualMs);
  });

  it('compares the result with a picture of its own', () => {
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

it('gives no two tools the same name, tab or file name', () => {
  const all: Tool[] = toolIds.map((id) => tools[id]);
  for (const names of [
    all.map(nameTool),
    all.map(({ tab }) => tab),
    all.map(({ name }) => name),
    all.map(({ file }) => file.name),
  ])
    expect(new Set(names).size).toBe(all.length);
});

it('has every file of the folder', () => {
  const files = readdirSync(new URL('tools', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
  expect(files.sort()).toEqual([...toolIds].sort());
});

describe('the price of a clip', () => {
  const tool = tools['image-to-video'];

  it('depends on its seconds, by default on the default choice', () => {
    expect(['5', '8', '12'].map((duration) => costOf(tool, { duration }))).toEqual([5, 8, 12]);
    expect([costOf(tool, {}), costOf(tools.remover, {}), costOf(tools['basic-image-to-video'], {})]).toEqual([5, 1, 2]);
    expect([costRange(tool), costRange(tools.remover)]).toEqual([
      [5, 12],
      [1, 1],
    ]);
  });

  it('grows with every choice of seconds, rounded up', () => {
    for (const { fields, cost } of Object.values<Tool>(tools)) {
      for (const field of Object.values(fields)) {
        if (field.kind !== 'choice' || !field.costs) continue;
        const own = field.values.map((value) => [value, Math.ceil((cost * Number(value)) / Number(field.fallback))]);
        expect(field.costs).toEqual(Object.fromEntries(own));
      }
    }
  });

  it('and its aspect ratios are listed only if they are supported', () => {
    const of = (choices?: Record<string, string[]>) =>
      describeFields(tool, {
        minSide: 64,
        maxSide: 4096,
        maxRatio: 8,
        takesGuides: false,
        ...(choices && { choices }),
      });
    const shapes = { name: 'aspectRatio', type: 'choice', required: false, default: '16:9' };
    expect(of()).toContainEqual({ ...shapes, options: ['1:1', '16:9', '9:16', '4:5'] });
    expect(of({ aspectRatio: ['16:9', '1:1'] })).toContainEqual({ ...shapes, options: ['1:1', '16:9'] });
    const seconds = { name: 'duration', type: 'choice', required: false, default: '5' };
    expect(of()).toContainEqual({ ...seconds, options: ['5', '8', '12'], costs: { '5': 5, '8': 8, '12': 12 } });
    expect(of({ duration: ['5', '8'] })).toContainEqual({ ...seconds, options: ['5', '8'], costs: { '5': 5, '8': 8 } });
    expect(of({ duration: [] }).map((field) => (field as { name: string }).name)).not.toContain('duration');
  });
});

it('names the substitute for an unsupported choice', () => {
  const limits = { minSide: 64, maxSide: 4096, maxRatio: 8, takesGuides: false };
  const instead = { hairStyle: { target_hair: 'Your own hair stays.' } };
  const of = (abilities: object) =>
    describeFields(tools['headshot-generator'], { ...limits, ...abilities }).find(
      (field) => (field as { name: string }).name === 'hairStyle',
    );
  expect(of({})).not.toHaveProperty('instead');
  expect(of({ instead })).toMatchObject({ options: ['user_hair', 'target_hair'], instead: instead.hairStyle });
});

it('has its picture as "image" where a catalogue can use it', () => {
  const pictures = Object.values<Tool>(tools).map(pictureFields);
  expect(new Set(pictures.filter((names) => names.length === 1).flat())).toEqual(new Set(['image']));
});
