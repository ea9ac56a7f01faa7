import { describe, expect, it } from 'vitest'
import { idList, type OtherColumns } from '../src/bulk/id-list.ts'

const read = async (text: string, chunkSize = text.length, columns?: OtherColumns): Promise<string[]> => {
  const bytes = new TextEncoder().encode(text)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize)
  }
  const ids: string[] = []
  for await (const id of idList(chunks(), columns)) ids.push(id)
  return ids
}

describe('a list of ids', () => {
  it.each([
    ['one id a line', 'a\nb\n', ['a', 'b']],
    ['no line end at the end', 'a\nb', ['a', 'b']],
    ['CRLF line ends', 'a\r\nb\r\n', ['a', 'b']],
    ['a byte order mark', '\ufeffa\nb\n', ['a', 'b']],
    ['spaces and what is not seen around ids', '  a \n\tb\u00a0\n\u200bc\n', ['a', 'b', 'c']],
    ['blank lines', 'a\n\nb\n', ['a', '', 'b']],
    ['ids with commas and quotes after the first', 'a\nb,c\n"d"\n', ['a', 'b,c', '"d"']],
    ['nothing', '', []],
    ['CSV with an id column', 'name,id,x\nA,a,1\nB,b,2\n', ['a', 'b']],
    ['CSV with a byte order mark and CRLF', '\ufeffid,name\r\na,A\r\n', ['a']],
    ['CSV after a blank line', '\nid,name\na,A\n', ['', 'a']],
    ['CSV of one column', '\u200bid\na\nb\n', ['a', 'b']],
    ['CSV that calls the column ID', 'Name,ID\nA,a\n', ['a']],
    ['CSV with semicolons', '"id";"name"\n"a";"A"\n', ['a']],
    ['CSV with tabs', 'name\tid\nA\ta\n', ['a']],
    ['CSV with quoted separators, quotes and line ends', 'name,id\n"A, ""B""\nC",a\n"D","b,""c"\n', ['a', 'b,"c']],
    ['ids as they are that begin with an apostrophe', "'-x\n'y\n", ["'-x", "'y"]],
    ['CSV with apostrophes that hide nothing, and formulas of texts', `id,name\n'y,'=1\n"=""-x""",X\n`, ["'y", '-x']],
    ['CSV with an empty row, or an empty column', 'name,id\nA,\n\nB,b\n', ['', '', 'b']],
  ])('takes %s', async (_name, text, ids) => {
    expect(await read(text)).toEqual(ids)
  })

  it('reads the same however its bytes are cut into chunks', async () => {
    const text = '\ufeffname,id\r\n"Zoë, ""Z""\r\nß",zoe\r\n日本,b\r\n'
    for (let size = 1; size < 12; size++) expect(await read(text, size)).toEqual(['zoe', 'b'])
  })

  it.each([
    [
      'a row of more fields than columns: the id would be another',
      'name,id\nSmith, Brian,42\n',
      /^Line 2: .* 3 fields, .* 2\. Put/,
    ],
    ['a row of fewer fields than columns', 'name,id\nA,a\nSmith\n', /^Line 3: .* 1 fields/],
    ['two columns of that name', 'id,id\na,b\n', /^Line 1: Two columns/],
    ['columns none of which is an id', 'email,name\na@example.com,A\n', /^Line 1: .*none is named 'id'/],
    ['a quoted field that does not end', 'id,name\na,"A\nb,B\n', /^Line 3: A quoted field does not end\.$/],
    ['text after a closing quote', 'id,name\na,"A"x\n', /^Line 2: Something follows a closing quote\.$/],
    ['an id with an apostrophe that may not belong to it', "id\n-x\n'-x\n", /^Line 3: Remove the apostrophe.*one id a/],
    [
      'a list in UTF-16',
      'a\n\0b\0\n',
      /^Line 2: It has a NUL byte, .* in UTF-16, save it as UTF-8, and a workbook as CSV\.$/,
    ],
    ['a heading that is not UTF-8', 'id;Gek\ufffdndigt\ncarl;nein\n', /^Line 1: It has a byte that is not UTF-8/],
    ['a NUL byte', 'a\nb\nc\0d\n', /^Line 3: It has a NUL byte, which no id has\. Take it out;/],
    ['a line that is far too long', `a\n${'x'.repeat(100_000)}`, /^Line 2: A line is too long to hold an id\.$/],
    ['a first line that is far too long', 'x'.repeat(100_000), /^Line 1: A line is too long to hold an id\.$/],
    ['a quoted field that is far too long', `id\n"${'x\n'.repeat(50_000)}`, /A quoted field does not end\.$/],
  ])('refuses %s and says in which line', async (_name, text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})

it('a list of ids with a column that may say who is meant is refused, unless that is ignored by name', async () => {
  const list = 'id,status\na,yes\nb,no\n'
  await expect(read(list)).rejects.toThrow("'status'")
  const others: string[] = []
  const onOthers = async (names: readonly string[]) => void others.push(...names)
  expect([await read(list, 3, { ignored: ['status'], onOthers }), others]).toEqual([['a', 'b'], ['status']])
})

describe('a list as directories write it', () => {
  const by = { by: 'email' } as const
  const upn = { column: 'userPrincipalName' } as const

  it.each<[text: string, ids: readonly string[], columns?: OtherColumns]>([
    // Export-Csv of PowerShell 5, and its columns in quotes.
    ['#TYPE System.Management.Automation.PSCustomObject\r\n"id","name"\r\n"u1","Ada"\r\n', ['u1']],
    ['"#TYPE Selected.User"\n"id"\n"u1"\n', ['u1']],
    ['\ufeff#TYPE Selected.User\n"id";"name"\n"u1";"Ada"\n', ['u1']],
    ['"id"\n"u1"\n"u2"\n', ['u1', 'u2']],
    // Excel.
    ['sep=;\nid;name\nu1;Ada\n', ['u1']],
    ['sep=,\r\nid,name\r\nu1,Ada\r\n', ['u1']],
    ['"sep=|"\nid|name\nu1|Ada, B\n', ['u1']],
    ['sep=\t\nid\tname\nu1\tAda\n', ['u1']],
    ['id,name,,\nu1,Ada,,\n', ['u1']],
    // Templates of Entra ID.
    ['version:v1.0\nUser name [userPrincipalName] Required\nada@example.com\n', ['ada@example.com'], upn],
    ['version:v1.0,,\nName [displayName],User name [userPrincipalName] Required\nAda, u1\n', ['u1'], upn],
    ['UserPrincipalName,Name\nu1,Ada\n', ['u1'], upn],
    ['login;name\nu1;Ada\n', ['u1'], { column: 'Login' }],
    ['login\nu1\n', ['u1'], { column: 'login' }],
    // Google Workspace.
    ['First Name [Required],Email Address [Required]\nAda,ada@example.com\n', ['ada@example.com'], by],
    ['Employee ID [Required],Name\nu1,Ada\n', ['u1'], { column: 'Employee ID' }],
    // Addresses.
    ['bulk10@example.com\nbulk11@example.com\n', ['bulk10@example.com', 'bulk11@example.com'], by],
    ['email,name\nbulk10@example.com,"Bulk, 10"\n', ['bulk10@example.com'], by],
    ['E-Mail Address\nbulk10@example.com\n', ['bulk10@example.com'], by],
    ['id,mail\nu1,ada@example.com\n', ['ada@example.com'], by],
    ['Work,mail\nada@work.example,ada@example.com\n', ['ada@work.example'], { ...by, column: 'work' }],
    // JSON.
    ['["u1", "u2"]', ['u1', 'u2']],
    ['[\n  "u1",\n  7\n]\n', ['u1', '7']],
    ['[{"id":"u1","name":"Ada"},{"id":"u2"}]', ['u1', 'u2']],
    ['{"value":[{"id":"u1","mail":"ada@example.com"}],"@odata.context":"x"}', ['ada@example.com'], by],
    ['{"id":"u1","groups":["x"]}', ['u1']],
    // SCIM.
    ['{"schemas":["urn:x"],"totalResults":1,"Resources":[{"schemas":["urn:y"],"id":"u1"}]}', ['u1']],
    ['{"id":"u1"}\n\n{"id":"u2","name":"B"}\n', ['u1', 'u2']],
    ['[{"sub":"u1"}]', ['u1'], { column: 'sub' }],
    ['[]', []],
    ['id\n{0a1b-2c3d}\n{4e5f}\n', ['{0a1b-2c3d}', '{4e5f}']],
    [`[${'"u1",'.repeat(20_000)}"u2"]`, [...Array.from({ length: 20_000 }, () => 'u1'), 'u2']],
  ])('%j is read', async (text, ids, columns) => {
    expect(await read(text, text.length + 2, columns)).toEqual(ids)
    if (text.length < 200) expect(await read(text, 3, columns)).toEqual(ids)
  })

  it.each<[text: string, sentence: RegExp, columns?: OtherColumns]>([
    ['user_id\nu1\n', /^Line 1: This looks like the name of a column\. If it is, add --map id=user_id; if not, take/],
    ['Username\nu1\n', /--map id=Username/],
    ['User name\nu1\n', /--map id='User name'/],
    ['sAMAccountName\nu1\n', /--map id=sAMAccountName/],
    ['Name\nu1\n', /looks like the name of a column/],
    ['email\nada@example.com\n', /^Line 1: This looks like the name of a column\. If it is, add --by email/],
    ['User name [userPrincipalName] Required\nu1\n', /looks like the name of a column/],
    ['version:v1.0\nUser name [userPrincipalName] Required\nu1\n', /^Line 2: .*--map id=userPrincipalName/],
    ['version:v1.0\nu1\n', /^Line 2: .*none is named 'id'/],
    ['#TYPE x\n', /^Line 1: The line that names the columns is missing/],
    ['"u1"\n"u2"\n', /^Line 1: This is in quotes.*Put the line id before it/],
    ['"Device,""Managed by"""\n"u1,""x"""\n', /^Line 1: This /],
    ['login;name\nu1;Ada\n', /none is named 'id'.*--map id=login/],
    ['email,name\nada@example.com,Ada\n', /none is named 'id'.*add --by email/],
    ['#,Labels\n6,x\n', /none is named 'id'/],
    ['# exported\nid,name\nu1,Ada\n', /^Line 1: This looks like the name of a column.*take the line out/],
    ['Email Address [Required]\nada@example.com\n', /add --by email/],
    ['id,Status [READ ONLY]\nu1,Active\n', /'Status \[READ ONLY\]' may say.*--ignore 'Status \[READ ONLY\]'\.$/],
    ["mail\n'+a@example.com\n", /^Line 2: Remove the apostrophe .* or give one address a line/, by],
    ['mail,email\na@example.com,b@example.com\n', /'mail' and 'email' may both.*--map email=COLUMN/, by],
    ['login,name\nu1,Ada\n', /none is named 'mail'/, { column: 'mail' }],
    ['id\ru1\ru2', /^Line 1: Its lines end in a carriage return alone/],
    ['[{"id":"u1","status":"ACTIVE"}]', /^The column 'status' may say/],
    ['{"id":"u1"}\n{"id":"u2","active":false}\n', /^The column 'active' may say/],
    ['[{"name":"Ada"}]', /^Entry 1 has no member 'id'.*--map id=MEMBER/],
    ['[{"id":"u1"},{"id":null}]', /^Entry 2 is no text/],
    ['[9007199254740993]', /^Entry 1 is no text/],
    ['[["u1"]]', /^Entry 1 is no text/],
    ['[{"id":"u1","ID":"u2"}]', /^Entry 1 has both 'id' and 'ID'/],
    ['["u1",', /begins like JSON, and is none/],
    ['{0a1b-2c3d}\n{4e5f}\n', /begins like JSON, and is none.* or put a line `id` before them\.$/],
  ])('%j is refused with what to do', async (text, sentence, columns) => {
    await expect(read(text, text.length + 2, columns)).rejects.toThrow(sentence)
  })

  it('is not kept in memory beyond 16 MiB', async () => {
    const lines = (async function* () {
      yield '["u1",\n'
      for (let n = 0; n < 20; n++) yield `${JSON.stringify('u'.repeat(1024 * 1024))},\n`
    })()
    await expect(idList(lines).next()).rejects.toThrow(/longer than 16 MiB.*Give one id a line/)
  })
})
