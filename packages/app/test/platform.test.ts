import { clockContract, digestsContract, domainNamesContract, randomnessContract } from '@rollcall/core/contract'
import { createNodeDigests } from '../src/platform/node-digests.ts'
import { nodeDomainNames } from '../src/platform/node-domain-names.ts'
import { createNodeRandomness } from '../src/platform/node-randomness.ts'
import { systemClock } from '../src/platform/system-clock.ts'

clockContract(() => systemClock)
digestsContract(createNodeDigests)
domainNamesContract(() => nodeDomainNames)
randomnessContract(createNodeRandomness)
