import { describe, expect, it } from 'vitest'
import { changeAt, REMOVED } from '../src/changes.ts'
import { type Draft, settle } from '../src/draft.ts'
import { parseUserFilter } from '../src/filter.ts'
import { readPatch, readUser } from '../src/messages.ts'

const ADA: Draft = {
  ...{ userName: 'ada@example.com', email: 'ada@example.com', emailType: 'home', emailPrimary: true, active: true },
  ...{ displayName: 'Ada King', givenName: 'Ada', familyName: 'King' },
}

const NAMED = {
  userName: 'ada@example.com',
  emails: [{ value: ADA.email }],
  name: { givenName: 'Ada', familyName: 'King' },
}

const message = (members: object) => Buffer.from(JSON.stringify(members))

const after = (path: string, value: unknown, before = ADA) => {
  const subject = { before, changes: {} }
  changeAt(subject, path, value)
  return settle(before, subject.changes)
}

describe('what follows what', () => {
  it.each([
    ['name.familyName', 'Lovelace', { name: 'Ada Lovelace' }],
    ['name.formatted', 'Countess Ada', { name: 'Countess Ada' }],
    ['name', REMOVED, { name: '' }],
    ['displayName', 'Lady', { name: 'Lady' }],
    ['displayName', REMOVED, { name: '' }],
    ['userName', 'ada@new.example', { email: 'ada@new.example' }],
    ['emails.value', 'other@example.com', { email: 'other@example.com', name: 'Ada King' }],
  ])('%s = %s', (path, value, expected) => expect(after(path, value)).toMatchObject(expected))

  it('is made of the parts where no display name is given, or an empty one', () => {
    for (const displayName of [undefined, ''])
      expect(settle({}, readUser(message({ ...NAMED, displayName }))).name).toBe('Ada King')
  })

  it('is left as somebody gave it', () => {
    const apart = { ...ADA, displayName: 'Lady', email: 'mail@example.com' }
    expect(after('name.familyName', 'Lovelace', apart).name).toBe('Lady')
    expect(after('userName', 'ada.l', apart)).toMatchObject({ email: 'mail@example.com' })
    expect(after('userName', 'ada@new.example', apart)).toMatchObject({ email: 'mail@example.com' })
  })

  it.each([
    ['Ada@Contoso.com', 'Ada@contoso.com'],
    ['ada@contoso.com', 'Ada@contoso.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ])('is an address that is the userName, as addresses are compared: %s, stored as %s', (userName, email) => {
    const stored = { userName, email, active: true }
    expect(after('userName', 'ada.new@Contoso.com', stored)).toMatchObject({ email: 'ada.new@Contoso.com' })
    expect(after('displayName', 'Ada', stored)).toMatchObject({ email })
  })

  it('is kept where the domain of the userName is none', () => {
    for (const userName of ['ada@ex%61mple.com', 'ada@xn--a.example'])
      expect(after('userName', userName)).toMatchObject({ email: ADA.email, provisioned: { userName } })
  })

  it.each(['ada.l', 'CONTOSO\\ada', 'ada l@contoso'])(
    'is kept where the userName is no address any more: %s',
    (userName) => expect(after('userName', userName)).toMatchObject({ email: ADA.email, provisioned: { userName } }),
  )

  it('is asked for where there is none', () => {
    expect(() => settle({}, { userName: 'ada.l' })).toThrow("Give the user's e-mail address")
    expect(() => settle({}, { email: 'ada@example.com' })).toThrow('Give the user a userName.')
  })
})

describe('the address that is kept', () => {
  it.each([
    ['emails[type eq "work"].value', true],
    ['emails[type eq "HOME"].value', true],
    ['emails[primary eq true].value', true],
    ['emails[primary eq "True" and type eq "work"].value', true],
    ['emails[value eq "Ada@Example.com"].value', true],
    ['urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value', true],
    ['EMAILS.VALUE', true],
    ['emails[type eq "other"].value', false],
    ['emails[primary eq false].value', false],
    ['emails[type eq "work" and value eq "x]"].value', false],
    ['emails[type eq work].value', true],
    ['emails[value eq home@example.com].value', false],
  ])('%s: %s', (path, isMeant) => {
    const email = () => after(path, 'new@example.com').email
    if (isMeant) expect(email()).toBe('new@example.com')
    else expect(email).toThrow(expect.objectContaining({ status: 400, scimType: 'noTarget' }))
  })

  it('is that of work and the primary one, whatever it was called: Entra ID replaces what is not there, too', () => {
    const other = { ...ADA, emailPrimary: false }
    for (const [filter, called] of [
      ['type eq "work"', { emailType: 'work', emailPrimary: false }],
      ['primary eq true', { emailType: 'home', emailPrimary: true }],
      ['primary eq "True" and type eq "work"', { emailType: 'work', emailPrimary: true }],
      ['primary eq false', { emailType: 'home', emailPrimary: false }],
    ] as const)
      expect(after(`emails[${filter}].value`, 'new@example.com', other)).toMatchObject({
        email: 'new@example.com',
        provisioned: called,
      })
  })

  it.each([
    ['Add', 'new@example.com'],
    ['Remove', undefined],
    ['Replace', null],
  ])('stays as it is if another is meant: %s', (op, value) => {
    const operation = { op, path: 'emails[type eq "other"].value', value }
    expect(readPatch(Buffer.from(JSON.stringify({ Operations: [operation] })))(ADA)).toEqual({})
  })

  it('gives way to one that is added only if that is of more use', () => {
    const addedTo = (before: Draft, ...emails: object[]) => {
      const Operations = [{ op: 'Add', path: 'emails', value: emails }]
      return settle(before, readPatch(message({ Operations }))(before))
    }
    const added = (...emails: object[]) => addedTo(ADA, ...emails).email
    expect(added({ value: 'home@x.example', type: 'home' }, { value: 'work@x.example', type: 'work' })).toBe(ADA.email)
    expect(added({ value: 'home@x.example', type: 'home', primary: true })).toBe('home@x.example')
    for (const [emailType, type] of [
      ['work', 'work'],
      ['home', 'other'],
    ]) {
      const before = { ...ADA, emailType, emailPrimary: undefined }
      expect(addedTo(before, { value: 'second@x.example', type }).email).toBe(ADA.email)
      expect(addedTo(before, { value: 'ADA@example.com', type }).provisioned.emailType).toBe(type)
      expect(addedTo(before, { value: 'second@x.example', primary: true }).email).toBe('second@x.example')
    }
    const home = { ...ADA, emailPrimary: undefined }
    expect(addedTo(home, { value: 'work@x.example', type: 'work' }).email).toBe('work@x.example')
  })

  it.each([
    [[{ value: 'a@x' }, { value: 'b@x', primary: 'True' }], { email: 'b@x', emailPrimary: true }],
    [
      [
        { value: 'a@x', type: 'home' },
        { value: 'b@x', type: 'Work' },
      ],
      { email: 'b@x', emailType: 'Work' },
    ],
    [
      { Value: 'a@x', TYPE: 'home' },
      { email: 'a@x', emailType: 'home' },
    ],
    [[{ value: null, primary: true }, { value: 'a@x' }], { email: 'a@x' }],
  ])('is one of several: %j', (emails, expected) =>
    expect(readUser(Buffer.from(JSON.stringify({ EMAILS: emails })))).toMatchObject(expected),
  )
})

it.each([
  ['userName eq "a"', { userName: 'a' }],
  ['  USERNAME  EQ  "a\\u0041\\""  ', { userName: 'aA"' }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "and"', { userName: 'and' }],
  ['userName eq "a and b" AND active eq false', { userName: 'a and b', suspended: true }],
  ['externalId eq "x" and userName eq "y" and active eq "True"', { externalId: 'x', userName: 'y', suspended: false }],
  ['externalId eq 4711 and userName eq a.b-c@example.com', { externalId: '4711', userName: 'a.b-c@example.com' }],
])('%s', (filter, expected) => expect(parseUserFilter(filter)).toEqual(expected))
