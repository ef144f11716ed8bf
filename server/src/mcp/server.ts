import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { agentTools, type Call, runTool } from './tools.ts';

const INSTRUCTIONS =
  'Plinth turns plain product photos into pictures and videos that sell. What a tool makes costs credits; what fails costs nothing.';

const toolList = Object.entries(agentTools).map(([name, { description, schema }]): Tool => {
  const { $schema: _version, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' });
  return { name, description, inputSchema: inputSchema as Tool['inputSchema'] };
});

/** Clients time out after a minute. */
const WAIT_MS = 50_000;

/** Answers one MCP request over streamable HTTP (2025-06-18), without state between requests. */
export async function answerAgent(
  request: Request,
  parsedBody: unknown,
  call: Pick<Call, 'callApi' | 'origin'>,
): Promise<{ response: Response; close: () => Promise<void> }> {
  const server = new Server(
    { name: 'plinth', version: '1' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const progressToken = params._meta?.progressToken;
    const report = async (progress: number, message: string) => {
      if (progressToken === undefined) return;
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
    };
    return runTool({ ...call, report, signal, waitMs: WAIT_MS }, params.name, params.arguments);
  });
  const transport = new WebStandardStreamableHTTPServerTransport({});
  await server.connect(transport);
  return { response: await transport.handleRequest(request, { parsedBody }), close: () => server.close() };
}
