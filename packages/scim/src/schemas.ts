import { USER_SCHEMA } from './messages.ts'

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'

/** The most users in one answer. */
export const MOST_RESULTS = 200

interface Attribute {
  readonly type: 'boolean' | 'complex' | 'integer' | 'reference' | 'string'
  readonly description: string
  readonly required?: true
  readonly multiValued?: true
  readonly caseExact?: true
  readonly mutability?: 'readOnly'
  readonly uniqueness?: 'server'
  readonly referenceTypes?: readonly string[]
  readonly canonicalValues?: readonly string[]
  readonly parts?: Readonly<Record<string, Attribute>>
}

const attribute = ([name, described]: readonly [string, Attribute]): object => {
  const { parts, ...given } = described
  return {
    name,
    ...{ multiValued: false, required: false, caseExact: false, mutability: 'readWrite', returned: 'default' },
    ...(described.type !== 'complex' && { uniqueness: 'none' }),
    ...given,
    ...(parts && { subAttributes: Object.entries(parts).map(attribute) }),
  }
}

const text = (description: string, more: Partial<Attribute> = {}): Attribute => ({
  type: 'string',
  description,
  ...more,
})
const required = { required: true } as const
const readOnly = { mutability: 'readOnly' } as const

const USER: Readonly<Record<string, Attribute>> = {
  userName: text('How the directory names the user.', { ...required, uniqueness: 'server' }),
  displayName: text('The name of the user. Without one it is made of the parts of name.'),
  name: {
    type: 'complex',
    description: 'The parts of the name.',
    parts: {
      formatted: text('The whole name.'),
      familyName: text('The family name.'),
      givenName: text('The given name.'),
    },
  },
  active: {
    type: 'boolean',
    description: 'False while the user is suspended. Without it, a new user is active.',
    ...required,
  },
  emails: {
    ...{ type: 'complex', multiValued: true, ...required },
    description:
      'The e-mail address. Of several the primary one is kept, else that of work. Without it, it is the userName.',
    parts: {
      value: text('The address, unique among users.', required),
      type: text('What it is called.', { canonicalValues: ['work', 'home', 'other'] }),
      primary: { type: 'boolean', description: 'Whether it is the preferred one.' },
    },
  },
  roles: {
    ...{ type: 'complex', multiValued: true, ...readOnly },
    description: 'The roles in Rollcall, which are given there.',
    parts: { value: text('The name of the role.', { caseExact: true, ...readOnly }) },
  },
}

const ofAll = (parts: Readonly<Record<string, Attribute>>): Readonly<Record<string, Attribute>> =>
  Object.fromEntries(Object.entries(parts).map(([name, one]) => [name, { ...readOnly, ...one }]))
const flag = (description: string): Attribute => ({ type: 'boolean', description, ...required })
const count = (description: string): Attribute => ({ type: 'integer', description, ...required })
const group = (
  description: string,
  parts: Readonly<Record<string, Attribute>>,
  more: Partial<Attribute> = {},
): Attribute => ({
  ...{ type: 'complex', description, parts: ofAll(parts), ...required },
  ...more,
})
const supported = { supported: flag('Whether it is supported.') }

const CONFIG_ATTRIBUTES = ofAll({
  documentationUri: { type: 'reference', description: 'Where it is documented.', referenceTypes: ['external'] },
  patch: group('PATCH.', supported),
  bulk: group('Bulk operations.', {
    ...supported,
    maxOperations: count('The most operations.'),
    maxPayloadSize: count('The most bytes.'),
  }),
  filter: group('Filters.', { ...supported, maxResults: count('The most results.') }),
  changePassword: group('Changes of passwords.', supported),
  sort: group('Sorting.', supported),
  etag: group('Entity tags.', supported),
  authenticationSchemes: group(
    'How to authenticate.',
    {
      type: text('The scheme.', required),
      name: text('Its name.', required),
      description: text('What it is.', required),
      specUri: { type: 'reference', description: 'Its specification.', referenceTypes: ['external'] },
      primary: { type: 'boolean', description: 'Whether it is preferred.' },
    },
    { multiValued: true },
  ),
})

const uri = (description: string): Attribute => ({
  type: 'reference',
  description,
  caseExact: true,
  referenceTypes: ['uri'],
})

const TYPE_ATTRIBUTES = ofAll({
  id: text('The id.'),
  name: text('The name.', required),
  description: text('What it is.'),
  endpoint: { ...uri('Where it is.'), ...required },
  schema: { ...uri('Its schema.'), ...required },
  schemaExtensions: group(
    'Extensions of its schema.',
    { schema: { ...uri('The extension.'), ...required }, required: flag('Whether it is required.') },
    { multiValued: true },
  ),
})

const DESCRIBED: Readonly<Record<string, Attribute>> = {
  name: text('The name.', required),
  type: text('The type.', required),
  multiValued: flag('Whether there may be several.'),
  description: text('What it is.'),
  required: flag('Whether it is required.'),
  canonicalValues: text('Usual values.', { multiValued: true }),
  caseExact: flag('Whether case matters.'),
  mutability: text('Whether it may be written.', required),
  returned: text('When it is returned.', required),
  uniqueness: text('Among whom it is unique.'),
  referenceTypes: text('What it refers to.', { multiValued: true }),
}

const SCHEMA_ATTRIBUTES = ofAll({
  name: text('The name.', required),
  description: text('What it is.'),
  attributes: group(
    'The attributes.',
    { ...DESCRIBED, subAttributes: group('Parts of it.', DESCRIBED, { multiValued: true }) },
    { multiValued: true },
  ),
})

/** A description of the interface; none of them says anything of users. */
export interface Described {
  readonly id?: string
  readonly [member: string]: unknown
}

/** The descriptions, by the path of each. `base` is the URL of the interface. */
export const descriptions = (base: string): Readonly<Record<string, Described | readonly Described[]>> => {
  const located = (resourceType: string, path: string) => ({ meta: { resourceType, location: `${base}${path}` } })
  const schema = (id: string, name: string, description: string, attributes: Readonly<Record<string, Attribute>>) => ({
    ...{ schemas: [SCHEMA], id, name, description },
    attributes: Object.entries(attributes).map(attribute),
    ...located('Schema', `/Schemas/${id}`),
  })
  const schemas = [
    schema(USER_SCHEMA, 'User', 'A user', USER),
    schema(CONFIG, 'ServiceProviderConfig', 'What is supported', CONFIG_ATTRIBUTES),
    schema(RESOURCE_TYPE, 'ResourceType', 'What there is', TYPE_ATTRIBUTES),
    schema(SCHEMA, 'Schema', 'What it is made of', SCHEMA_ATTRIBUTES),
  ]
  const user = {
    schemas: [RESOURCE_TYPE],
    ...{ id: 'User', name: 'User', description: 'Users', endpoint: '/Users', schema: USER_SCHEMA },
    ...located('ResourceType', '/ResourceTypes/User'),
  }
  const [yes, no] = [{ supported: true }, { supported: false }]
  const config = {
    schemas: [CONFIG],
    documentationUri: 'https://github.com/rollcall/rollcall/blob/main/docs/guides/scim.md',
    ...{ patch: yes, bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 } },
    ...{ filter: { ...yes, maxResults: MOST_RESULTS }, changePassword: no, sort: no, etag: yes },
    authenticationSchemes: [
      {
        ...{ type: 'oauthbearertoken', name: 'Access token', primary: true },
        description: "An access token with the role 'provisioner', as Authorization: Bearer.",
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      },
    ],
    ...located('ServiceProviderConfig', '/ServiceProviderConfig'),
  }
  return {
    '/ServiceProviderConfig': config,
    '/ResourceTypes': [user],
    '/ResourceTypes/User': user,
    '/Schemas': schemas,
    ...Object.fromEntries(schemas.map((one) => [`/Schemas/${one.id}`, one])),
  }
}
