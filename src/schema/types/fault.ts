/** What the compiler prints in place of a type: a fault cannot be given, only read. */
export interface Fault<Message extends string> {
  readonly fault: Message
}

/** What is given beside the options that there are, which the compiler does not tell of a type that it infers. */
export type UnknownOptionFaults<O, Known> = {
  readonly [K in Exclude<keyof O, Known>]: Fault<`there is no option '${K & string}'`>
}

export type PathOptionFaults<O, Known> = O extends { readonly by: infer B }
  ? { readonly by: { readonly [P in keyof B]: UnknownOptionFaults<B[P], Known> } }
  : unknown
