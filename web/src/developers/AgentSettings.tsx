import { useInBrowser } from '../platform/useInBrowser.ts';
import { Code } from './Code.tsx';
import { agentSettingsFor, EXAMPLE_ORIGIN } from './samples.ts';
import './developers.css';

export function AgentSettings() {
  const origin = useInBrowser(() => window.location.origin, EXAMPLE_ORIGIN);
  return <Code name="Settings of an MCP client" code={agentSettingsFor(origin)} />;
}
