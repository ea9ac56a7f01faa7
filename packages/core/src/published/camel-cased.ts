type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
type CamelCased<T> = { readonly [Name in keyof T as Name extends string ? Camel<Name> : Name]: T[Name] }

/** The members of a form or a query by the names that commands have for them: `homeUrl` for `home_url`. */
export const camelCased = <T extends object>(values: T): CamelCased<T> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as CamelCased<T>
