import { tell } from './story.js'

export default {
  fetch: async () => new Response(`${(await tell()).join('\n')}\n`),
}
