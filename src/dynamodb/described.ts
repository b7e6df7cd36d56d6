/** A part of a request as a response contains it. The AWS SDK declares that each of its members may be undefined. */
export type Described<Value> = Value extends string | number | boolean | undefined
  ? Value
  : Value extends readonly (infer Element)[]
    ? Described<Element>[]
    : { [Name in keyof Value]: Described<Value[Name]> | undefined }
