import { createContext, useContext } from 'react';
import { type Api, createApi } from './api.ts';

export const ApiContext = createContext<Api | null>(null);

/** For pages without a user. */
const visitors = createApi();

export function useApi(): Api {
  return useContext(ApiContext) ?? visitors;
}
