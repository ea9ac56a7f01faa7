import { clockContract, digestsContract, domainNamesContract, randomnessContract } from '@rollcall/core/contract'
import { nodeDomainNames, systemClock } from '@rollcall/platform-node'
import { createNodeDigests } from '../src/platform/node-digests.ts'
import { nodeRandomness } from '../src/platform/node-randomness.ts'

clockContract(() => systemClock)
digestsContract(createNodeDigests)
domainNamesContract(() => nodeDomainNames)
randomnessContract(() => nodeRandomness)
