// Sets the theme before the first paint, so the page doesn't flash in the other theme.

const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
