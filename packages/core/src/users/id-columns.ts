import { shellWord, withoutMargins } from '../text.ts'
import { decidingColumns } from '../transfer/column-guards.ts'
import { CsvRecord } from '../transfer/csv.ts'

/** How a list says which users are meant. */
export interface IdListOptions {
  /** Columns that decide nothing, or are not to. */
  readonly ignored?: readonly string[] | undefined
  /** What the column is called, or the member of JSON objects, if it is another one. */
  readonly column?: string | undefined
  /** `email`: the list has the addresses of users. */
  readonly by?: 'email' | 'id' | undefined
  /** Whether there is no other way to go by. */
  readonly onlyById?: boolean | undefined
}

export interface IdColumn {
  readonly index: number
  /** How many columns there are. */
  readonly count: number
  readonly separator: string
  readonly others: readonly string[]
}

const SEPARATORS = [',', ';', '\t']

/** Of `User name [userPrincipalName] Required` what is in brackets, of `Email Address [Required]` what is before them. */
const innerName = (name: string): string => /\[([a-z][\w.]*)\]/.exec(name)?.[1] ?? name.replace(/\s*\[[^\]]*\]\s*$/, '')

/** That, without case, spaces and signs. */
const plain = (name: string): string =>
  innerName(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const OF_ADDRESSES = ['email', 'emailaddress', 'mail', 'mailaddress', 'primaryemail', 'workemail']

/** Whether a column, or a member of an object, is the one that says who is meant. */
export const isMeant =
  ({ column, by }: IdListOptions) =>
  (name: string): boolean => {
    if (column !== undefined)
      return [name.trim(), innerName(name), plain(name)].some(
        (one) => one.toLowerCase() === column.trim().toLowerCase(),
      )
    return by === 'email' ? OF_ADDRESSES.includes(plain(name)) : name.trim().toLowerCase() === 'id'
  }

/** What must be called so, for sentences. */
export const meantName = ({ column, by = 'id' }: IdListOptions): string => column ?? by

/**
 * The column of the first line that says who is meant; why that cannot be told; or undefined if the line names no columns.
 */
export const idColumnIn = (
  line: string,
  options: IdListOptions,
  { isCsv, separator }: { readonly isCsv: boolean; readonly separator: string | undefined },
): IdColumn | string | undefined => {
  for (const each of separator === undefined ? SEPARATORS : [separator]) {
    const names = columnNames(line, each)
    const [index, another] = names.flatMap((name, at) => (isMeant(options)(name) ? at : []))
    if (index === undefined) continue
    if (another !== undefined)
      return names[index]?.toLowerCase() === names[another]?.toLowerCase()
        ? `Two columns are named '${names[index]}'. Name the right one alone so.`
        : `The columns '${names[index]}' and '${names[another]}' may both be meant. Say which one: --map ${options.by ?? 'id'}=COLUMN.`
    const others = names.toSpliced(index, 1)
    const [name] = decidingColumns(others, options.ignored ?? [])
    return name === undefined ? { index, count: names.length, separator: each, others } : decidingProblem(name)
  }
  const columns = SEPARATORS.map((each) => columnNames(line, each)).find(({ length }) => length > 1)
  return columns === undefined && !isCsv ? undefined : noSuchColumn(columns ?? columnNames(line, ','), options)
}

// Of a list of everybody, it would be said there who is to go.
export const decidingProblem = (name: string): string =>
  `The column '${name}' may say which of these users are meant, and is not used. Leave only those in the list that are meant, and ignore the column: --ignore ${shellWord(name)}.`

const noSuchColumn = (names: readonly string[], options: IdListOptions): string => {
  const { by = 'id', onlyById = false } = options
  const missing = `This looks like columns, but none is named '${meantName(options)}'.`
  const likely = names.find((name) => (by === 'email' ? OF_ADDRESSES : LIKE_IDS).includes(plain(name)))
  const map = `if a column has them under another name, say so: --map ${by}=${likely === undefined ? 'COLUMN' : shellWord(innerName(likely))}`
  const hasAddresses = by === 'id' && !onlyById && names.some((name) => OF_ADDRESSES.includes(plain(name)))
  return `${missing} Give one ${by === 'id' ? 'id' : 'address'} a line, or name the column; ${map}${hasAddresses ? '; to go by the addresses, add --by email' : ''}.`
}

const LIKE_IDS = [
  ...['userid', 'uid', 'guid', 'uuid', 'objectid', 'objectguid', 'sub', 'subject', 'username', 'login', 'loginname'],
  ...[
    'samaccountname',
    'userprincipalname',
    'upn',
    'account',
    'accountname',
    'employeeid',
    'employeenumber',
    'staffid',
  ],
  ...['personid', 'personnelnumber', 'externalid', 'identifier', 'ids'],
]
const OTHERS = ['user', 'users', 'name', 'fullname', 'displayname', 'firstname', 'lastname', 'distinguishedname']

/** What is wrong with a first line that hardly is an id; undefined if nothing is. */
export const looksLikeColumn = (line: string, options: IdListOptions): string | undefined => {
  const text = withoutMargins(line)
  const { by = 'id', onlyById = false } = options
  if (/^".*"$/.test(text))
    return `This is in quotes, as in CSV without a line that names its columns. Put the line ${meantName(options)} before it, or take the quotes off.`
  if (!isColumnName(text) && (by === 'email' || !/\s/.test(text))) return undefined
  const hasAddresses = by === 'id' && !onlyById && OF_ADDRESSES.includes(plain(text))
  const way = hasAddresses ? '--by email' : `--map ${by}=${shellWord(innerName(text))}`
  return `This looks like the name of a column. If it is, add ${way}; if not, take the line out.`
}

const isColumnName = (text: string): boolean =>
  /\[\w+\]/.test(text) || [LIKE_IDS, OTHERS, OF_ADDRESSES].some((names) => names.includes(plain(text)))

const columnNames = (line: string, separator: string): string[] => {
  const record = new CsvRecord(separator)
  // What cannot be read with this separator has no columns by it.
  return record.take(line) !== undefined || record.open ? [] : record.fields.map(withoutMargins)
}
