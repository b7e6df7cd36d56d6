/** A compile error as a type: no value has this type, so the compiler prints the message. */
export interface Fault<Message extends string> {
  readonly fault: Message
}

/** A fault for each unknown option. The compiler does not report excess properties of a type that it infers. */
export type UnknownOptionFaults<O, OptionName> = {
  readonly [K in Exclude<keyof O, OptionName>]: Fault<`there is no option '${K & string}'`>
}

export type PathOptionFaults<O, OptionName> = O extends { readonly by: infer B }
  ? { readonly by: { readonly [P in keyof B]: UnknownOptionFaults<B[P], OptionName> } }
  : unknown
