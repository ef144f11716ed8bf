import { z } from 'zod';

/** Returns an object schema that is a named component of the OpenAPI document. */
export const named = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id });
