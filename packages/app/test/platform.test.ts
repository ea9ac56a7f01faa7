import { clockContract, digestsContract, domainNamesContract, randomnessContract } from '@rollcall/core/contract'
import { systemClock } from '@rollcall/platform-node'
import { createNodeDigests } from '../src/platform/node-digests.ts'
import { createNodeRandomness, nodeDomainNames } from '../src/platform/node-platform.ts'

clockContract(() => systemClock)
digestsContract(createNodeDigests)
domainNamesContract(() => nodeDomainNames)
randomnessContract(createNodeRandomness)
