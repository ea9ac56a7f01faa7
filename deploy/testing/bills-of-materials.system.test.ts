import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { billOfMaterials } from '../../scripts/bill-of-materials.ts'
import { faultsOfSbom } from './python-tools.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const lockfile = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))

it.each(readdirSync(path.join(ROOT, 'packages')))(
  'the bill of materials of %s is what CycloneDX and SPDX allow',
  (name) => {
    expect(faultsOfSbom(JSON.stringify(billOfMaterials(lockfile, `packages/${name}`)))).toBe('')
  },
)
