import { USER_SCHEMA } from './messages.ts'

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'

export const MOST_RESULTS = 200

interface Attribute {
  readonly type: 'boolean' | 'complex' | 'string'
  readonly description: string
  readonly required?: true
  readonly multiValued?: true
  readonly caseExact?: true
  readonly mutability?: 'readOnly'
  readonly uniqueness?: 'server'
  readonly canonicalValues?: readonly string[]
  readonly parts?: Readonly<Record<string, Attribute>>
}

const attribute = ([name, described]: readonly [string, Attribute]): object => {
  const { parts, ...given } = described
  return {
    name,
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
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
    type: 'complex',
    multiValued: true,
    ...required,
    description:
      'The e-mail address. Of several the primary one is kept, else that of work. Without it, it is the userName.',
    parts: {
      value: text('The address, unique among users.', required),
      type: text('What it is called.', { canonicalValues: ['work', 'home', 'other'] }),
      primary: { type: 'boolean', description: 'Whether it is the preferred one.' },
    },
  },
  roles: {
    type: 'complex',
    multiValued: true,
    ...readOnly,
    description: 'The roles in Rollcall, which are given there.',
    parts: { value: text('The name of the role.', { caseExact: true, ...readOnly }) },
  },
}

/** What the interface says of itself, and nothing of users, by the path of each. `base` is its URL. */
export const descriptions = (base: string): Readonly<Record<string, object | readonly object[]>> => {
  const located = (resourceType: string, path: string) => ({ meta: { resourceType, location: `${base}${path}` } })
  const schema = {
    schemas: [SCHEMA],
    id: USER_SCHEMA,
    name: 'User',
    description: 'A user',
    attributes: Object.entries(USER).map(attribute),
    ...located('Schema', `/Schemas/${USER_SCHEMA}`),
  }
  const user = {
    schemas: [RESOURCE_TYPE],
    id: 'User',
    name: 'User',
    description: 'Users',
    endpoint: '/Users',
    schema: USER_SCHEMA,
    ...located('ResourceType', '/ResourceTypes/User'),
  }
  const [yes, no] = [{ supported: true }, { supported: false }]
  const config = {
    schemas: [CONFIG],
    documentationUri: 'https://github.com/rollcall/rollcall/blob/main/docs/guides/scim.md',
    patch: yes,
    bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
    filter: { ...yes, maxResults: MOST_RESULTS },
    changePassword: no,
    sort: no,
    etag: yes,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Access token',
        primary: true,
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
    '/Schemas': [schema],
    [`/Schemas/${USER_SCHEMA}`]: schema,
  }
}
