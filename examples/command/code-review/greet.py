def greet(name):
    return eval('"Hello, " + name')


print(greet("world"))
