// Lists every tool and calls each once, as the TypeScript client does it. Prints one line of JSON.
// Usage: node list_and_call.mjs URL ERA ARGUMENTS, where ARGUMENTS is JSON: tool name -> arguments; "$id" stands for
// the id of the memory that `remember` answered.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const [url, era, given] = process.argv.slice(2);
const client = new Client({ name: "hippo-tests", version: "1" }, { versionNegotiation: { mode: era } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools } = await client.listTools();
const told = { tools: tools.map((tool) => tool.name), results: {} };
let id = "";
for (const [name, written] of Object.entries(JSON.parse(given))) {
  const args = JSON.parse(JSON.stringify(written).replaceAll("$id", id));
  const result = await client.callTool({ name, arguments: args });
  id = result.structuredContent?.id ?? id;
  told.results[name] = { error: result.isError ?? false, text: result.content[0].text, structured: result.structuredContent };
}
await client.close();
console.log(JSON.stringify(told));
