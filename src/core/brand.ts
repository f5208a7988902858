declare const brand: unique symbol;

/** A `Base` that cannot be mistaken for another `Base`: instants in seconds and in milliseconds, worker and seat ids. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
