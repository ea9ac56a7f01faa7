/** What `POST /subscribe` answers, without anything behind it. */
export const PENDING = {
  message: 'User subscription pending. A confirmation email has been sent.',
  subscription: {
    name: 'Brian Smith',
    email: 'brian.smith@example.com',
    id: 8_127_340_912_345_678,
    feed: 'default',
  },
}

/** What `DELETE /users/{id}` answers to who may not. */
export const FORBIDDEN = {
  error: 'InsufficientPermissions',
  message: "Deleting users requires the 'admin' role.",
}
