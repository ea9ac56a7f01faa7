import { it } from 'vitest'
import { followEveryLink } from './change-of-address.ts'

it('leaves to the new address what it had before, whichever link of the old one is followed', () => followEveryLink({}))
