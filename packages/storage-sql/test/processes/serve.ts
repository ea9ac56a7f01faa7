// Holds the serving lock until it is killed.
import { lockForServing } from '../../src/sqlite/index.ts'

await lockForServing(process.argv[2] ?? '')
console.log('serving')
setInterval(() => undefined, 1_000)
