import { z } from 'zod';

/** An object that the OpenAPI document lists under this name. */
export const named = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id });
