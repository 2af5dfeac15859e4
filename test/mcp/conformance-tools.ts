import type { CallToolResult, ContentBlock, Server, ServerContext, Tool } from '@modelcontextprotocol/server';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

type Handler = (context: ServerContext) => Promise<ContentBlock[]> | ContentBlock[];

const text = (content: string): ContentBlock => ({ type: 'text', text: content });
const image: ContentBlock = { type: 'image', data: pixel, mimeType: 'image/png' };
const resource = (uri: string, content: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: content },
});

/** The tools that the MCP conformance suite calls by name. */
const handlers: Readonly<Record<string, Handler>> = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [resource('test://embedded-resource', 'This is an embedded resource content.')],
  test_multiple_content_types: () => [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', '{"test":"data","value":123}'),
  ],
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
    }
    return [text('done')];
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    }
    return [text('done')];
  },
};

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

export const fixtureTools: readonly Tool[] = [
  ...Object.keys(handlers).map((name): Tool => ({ name, description: 'A fixture', inputSchema: { type: 'object' } })),
  { name: 'json_schema_2020_12_tool', description: 'A fixture', inputSchema: { type: 'object', ...schema2020 } },
];

/** Returns the result of a tool that the MCP conformance suite calls; null for an unknown name. */
export async function callFixture(name: string, context: ServerContext): Promise<CallToolResult | null> {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!handler) return null;
  try {
    return { content: await handler(context) };
  } catch (error) {
    return { isError: true, content: [text(String(error))] };
  }
}

type PromptArguments = Record<string, string>;

const prompts: Readonly<Record<string, (args: PromptArguments) => ContentBlock[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri = 'test://example' }) => [
    resource(resourceUri, 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [image, text('Please analyze the image above.')],
};
const argumentNames: Readonly<Record<string, string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

const resources = [
  { uri: 'test://static-text', name: 'text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'binary', mimeType: 'image/png' },
];

/**
 * Adds features that the MCP conformance suite expects of every server, but this service does not need: prompts,
 * resources, completion, log levels.
 */
export function addFixtures(server: Server): Server {
  server.registerCapabilities({ prompts: {}, resources: {}, completions: {}, logging: {} });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(prompts).map((name) => {
      const names = argumentNames[name] ?? [];
      return {
        name,
        description: 'A fixture',
        arguments: names.map((argument) => ({ name: argument, required: true })),
      };
    }),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const blocks = prompts[params.name]?.(params.arguments ?? {}) ?? [];
    return { messages: blocks.map((content) => ({ role: 'user' as const, content })) };
  });
  server.setRequestHandler('resources/list', () => ({ resources }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
    if (id)
      return {
        contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: `Data for ${id}` }) }],
      };
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: pixel }] };
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  });
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
}
