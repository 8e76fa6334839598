// The class names of a CSS module, as the bundler wrote them.
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>
  export = names
}
declare module '*.css'
