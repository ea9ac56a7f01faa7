// Holds the serving lock until it is killed.
import { lockForServing } from '../../src/sqlite/index.ts'

const lock = await lockForServing(process.argv[2] ?? '')
console.log('serving')
setInterval(() => lock, 1_000)
