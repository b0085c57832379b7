// Lists every tool and makes some calls, as the TypeScript client does it. Prints one line of JSON.
// Usage: node list_and_call.mjs URL ERA CALLS, where CALLS is JSON: [[tool, arguments, name], ...]; in arguments "$name"
// stands for the id that the call of that name answered.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, era, given] = process.argv.slice(2);
const client = new Client({ name: "hippo-tests", version: "1" }, { versionNegotiation: { mode: era } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const told = { tools: tools.map((tool) => tool.name), results: [] };
const ids = {};
for (const [tool, written, name] of JSON.parse(given)) {
  const args = JSON.parse(JSON.stringify(written).replaceAll(/\$(\w+)/g, (whole, known) => ids[known] ?? whole));
  const result = await client.callTool({ name: tool, arguments: args });
  if (name) ids[name] = result.structuredContent?.id;
  told.results.push({ refused: result.isError ?? false, text: result.content[0].text, structured: result.structuredContent });
}
await client.close();
console.log(JSON.stringify(told));
