import { describe, expect, it } from 'vitest';
import { errors } from './errors.ts';
import { toolEntrySchema } from './generations.ts';
import { IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS, PROMPT_MAX_LENGTH } from './limits.ts';
import type { Tool } from './tool.ts';
import {
  choice,
  describeFields,
  image,
  mainPictureField,
  motionText,
  pickTexts,
  sceneText,
  servedFields,
  videoImage,
} from './tool-fields.ts';
import { toolIds, tools } from './tools.ts';

const abilities = { minSide: 64, maxSide: 4096, maxRatio: 8, takesGuides: true };
const words = { label: 'Scene', missing: 'Say something', placeholder: '', suggestions: [] };
const photo = image({ label: 'Photo', missing: 'Add a photo', samples: [] });

describe('a choice', () => {
  const options = [
    { value: 'near', label: 'Near' },
    { value: 'far', label: 'Far' },
  ];

  it('accepts the options of the screen, and falls back to the first', () => {
    expect(choice({ label: 'View', options })).toMatchObject({ values: ['near', 'far'], fallback: 'near' });
  });

  it('may accept more values than the screen offers, and fall back to one of them', () => {
    const view = choice({ label: 'View', options, values: ['near', 'far', 'above'], fallback: 'above' });
    expect(view.values).toEqual(['near', 'far', 'above']);
    expect(view.fallback).toBe('above');
    expect(view.options).toEqual(options);
  });
});

describe('a picture field', () => {
  it('refuses another type with the sentence of the API, unless it has its own', () => {
    expect(photo.wrongType).toBe(errors.unsupported_image_type.detail);
    expect(photo.accept).toEqual(['image/jpeg', 'image/png', 'image/webp']);
    const frame = videoImage({ label: 'Photo', missing: 'Add a photo', samples: [], prepare: 'square' });
    expect(frame.wrongType).not.toBe(photo.wrongType);
    expect(frame.accept).not.toContain('image/webp');
    expect(frame.prepare).toBe('square');
  });
});

describe('a text field', () => {
  it.each([sceneText(words), motionText(words)])('has a maximum length, and a sentence for unknown words', (field) => {
    expect(field.maxLength).toBe(PROMPT_MAX_LENGTH);
    expect(field.unknown).toMatch(/^[A-Z]/);
  });

  it("offers the engine's scenes for a scene, not for a motion", () => {
    expect(sceneText(words).hasScenes).toBe(true);
    expect(motionText(words).hasScenes).toBe(false);
  });
});

describe("the fields in the API's form", () => {
  const tool = {
    fields: {
      photo,
      scene: sceneText(words),
      view: choice({ label: 'View', options: [{ value: 'near', label: 'Near' }] }),
      portrait: { kind: 'model', label: 'Portrait', missing: 'Choose one' },
      place: { kind: 'placement' },
      variant: { kind: 'variant', most: 2 },
      marks: { kind: 'marks', of: 'photo' },
    },
  } as unknown as Tool;

  it('have the limits of the engine or provider, and our own', () => {
    expect(describeFields(tool, abilities)).toEqual([
      {
        name: 'photo',
        type: 'image',
        required: true,
        accept: photo.accept,
        maxBytes: IMAGE_MAX_BYTES,
        maxPixels: IMAGE_MAX_PIXELS,
        minSide: 64,
        maxSide: 4096,
        maxRatio: 8,
      },
      { name: 'scene', type: 'text', required: true, maxLength: PROMPT_MAX_LENGTH },
      { name: 'view', type: 'choice', required: false, options: ['near'], default: 'near' },
      { name: 'portrait', type: 'model', required: true },
      { name: 'place', type: 'placement', required: false },
      { name: 'variant', type: 'choice', required: false, options: ['0', '1', '2'], default: '0' },
      { name: 'marks', type: 'marks', required: false },
    ]);
  });

  it('have no guides where the engine or provider does not use them', () => {
    const names = servedFields(tool, { ...abilities, takesGuides: false }).map(([name]) => name);
    expect(names).toEqual(['photo', 'scene', 'view', 'portrait', 'variant']);
  });

  it('pickTexts keeps only the texts of an input', () => {
    const input = {
      scene: 'on marble',
      view: 'near',
      marks: '{"box":[0,0,1,1]}',
      variant: '1',
      portrait: 'mdl_1',
      stranger: 'x',
    };
    expect(pickTexts(tool, input)).toEqual({ scene: 'on marble' });
  });
});

describe.each(toolIds)('the fields of %s', (id) => {
  const tool: Tool = tools[id];

  it('have one main picture', () => {
    expect(tool.fields[mainPictureField(tool)]?.kind).toBe('image');
  });

  it('have a sentence for a missing value, and samples by file name', () => {
    for (const field of Object.values(tool.fields)) {
      if ('missing' in field) expect(field.missing).toMatch(/^Please \w/);
      if (field.kind === 'image') for (const sample of field.samples) expect(sample).toMatch(/^[a-z]+(-[a-z]+)*$/);
    }
  });

  it('pickTexts keeps nothing but the text field', () => {
    const input = Object.fromEntries(Object.keys(tool.fields).map((name) => [name, 'something']));
    for (const name of Object.keys(pickTexts(tool, input))) expect(tool.fields[name]?.kind).toBe('text');
  });

  it('offer every choice once', () => {
    for (const field of Object.values(tool.fields)) {
      if (field.kind !== 'choice') continue;
      expect(new Set(field.values).size).toBe(field.values.length);
      expect(new Set(field.options.map(({ label }) => label)).size).toBe(field.options.length);
    }
  });
});

it.each(Object.entries(tools))('%s: its API entry matches the schema', (_id, tool) => {
  const described = toolEntrySchema.shape.fields.element.strict();
  const fields = describeFields(tool, abilities);
  for (const field of fields) expect(described.parse(field)).toEqual(field);
});
