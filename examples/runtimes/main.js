import { tell } from './story.js'

// In Node.js, Deno, Bun and a browser alike.
for (const line of await tell()) console.log(line)
