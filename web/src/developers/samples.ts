import curl from './samples/first-call.sh?raw';
import typeScript from './samples/first-call.mts?raw';
import python from './samples/first-call.py?raw';
import agentSettings from './samples/mcp.json?raw';
import webhookCheck from './samples/webhook-check.mts?raw';

export { webhookCheck };

/** The origin that the sample files name. */
export const EXAMPLE_ORIGIN = 'https://plinth.example';

/** First API call in three languages: uploads a photo and fetches its cut-out. */
const firstCalls = { curl, TypeScript: typeScript, Python: python };

export type SampleLanguage = keyof typeof firstCalls;
export const SAMPLE_LANGUAGES = Object.keys(firstCalls) as SampleLanguage[];

/** Returns the first call to this server. `origin` has no trailing slash. */
export const firstCallIn = (language: SampleLanguage, origin: string): string =>
  firstCalls[language].replaceAll(EXAMPLE_ORIGIN, origin);

/** Returns the settings with which most MCP clients reach this server. */
export const agentSettingsFor = (origin: string): string => agentSettings.replace(EXAMPLE_ORIGIN, origin);
