// Translates models as workflow files name them, PROVIDER/MODEL, into each program's form.

/** The provider before the first slash, and the rest. Without a slash there is no provider. */
export function splitModel(model: string): { provider: string | undefined; name: string } {
  const at = model.indexOf('/')
  return at < 0
    ? { provider: undefined, name: model }
    : { provider: model.slice(0, at), name: model.slice(at + 1) }
}

/** The problem of a model, for a program that only has models of one provider. */
export function onlyFrom(program: string, provider: string, example: string) {
  return (model: string): string | undefined => {
    const { provider: given, name } = splitModel(model)
    if (name === '') return `the model ${JSON.stringify(model)} has no name; write ${example}`
    if (given === undefined || given === provider) return undefined
    return `${program} runs models of ${provider}, and ${JSON.stringify(model)} is none; write ${example}, or choose another backend`
  }
}
