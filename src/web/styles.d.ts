// Maps the class names of a CSS module to the names that the bundler generated.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export = names
}
declare module '*.css'
