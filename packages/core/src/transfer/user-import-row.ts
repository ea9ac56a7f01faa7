import type { TablePolicy } from '../access/authorization-policy.ts'
import { InvalidInput } from '../errors.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { readAll } from '../read-all.ts'
import { type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import { parsePersonName } from '../text.ts'
import { requireIdWithout } from '../users/put-user-use-case.ts'
import { parseUserId, type UserId } from '../users/user.ts'
import { identifierOf, textOf } from './import-row.ts'
import type { FileRow } from './record-formats.ts'

/** Every field of a row that means something. */
export const USER_IMPORT_FIELDS = ['id', 'email', 'name', 'roles'] as const

/** In a record of a suspended user, as lists and exports have it. */
const SUSPENDED = 'suspended_at'
export const READ_OF_USERS = [...USER_IMPORT_FIELDS, SUSPENDED]

/** A row that was read and found good. */
export interface UserImportRow {
  readonly line: number
  readonly id: UserId
  readonly address: EmailAddress
  readonly name: string
  readonly roles: readonly string[]
}

/** @throws {InvalidInput} with all problems of the row */
export const importUserRow = (
  row: FileRow,
  { domainNames, table }: { readonly domainNames: DomainNames; readonly table: TablePolicy },
): UserImportRow => {
  const user = readAll({
    id: () => parseUserId(identifierOf(row, 'id')),
    address: () => parseEmailAddress(identifierOf(row, 'email'), domainNames),
    name: () => parsePersonName(textOf(row, 'name', false)),
    roles: () => table.parseRoles(rolesIn(row)),
    suspension: () => requireAccess(row),
  })
  requireIdWithout(user.id, user.address)
  const { id, address, name, roles } = user
  return { line: row.line, id, address, name, roles }
}

// Who was suspended where the file comes from must not get access here by being imported.
const requireAccess = ({ fields: { [SUSPENDED]: suspendedAt } }: FileRow): void => {
  if (suspendedAt === undefined || suspendedAt === null || suspendedAt === '') return
  const message = 'This user is suspended, and an import gives access. Leave the row out, or remove this field.'
  throw new InvalidInput([{ field: SUSPENDED, message }])
}

/** A list, or a text with spaces between them. */
const rolesIn = ({ fields: { roles } }: FileRow): readonly string[] => {
  if (roles === undefined || roles === null) return []
  if (typeof roles === 'string') return roles.split(' ').filter((role) => role !== '')
  if (Array.isArray(roles) && roles.every((role) => typeof role === 'string')) return roles
  throw new InvalidInput([{ field: 'roles', message: 'Give a list of texts, or a text with spaces between them.' }])
}
