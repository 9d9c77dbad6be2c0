-- A still picture with what LÖVE has: shapes, text, a mesh of its own vertices and a canvas.
local canvas

function love.load()
  canvas = love.graphics.newCanvas(100, 100)
  love.graphics.setCanvas(canvas)
  love.graphics.clear(0.8, 0.2, 0.1)
  love.graphics.setColor(1, 1, 0)
  love.graphics.rectangle("fill", 20, 20, 40, 60)
  love.graphics.setCanvas()
end

function love.draw()
  love.graphics.clear(0.2, 0.3, 0.4)
  love.graphics.setColor(1, 1, 1)
  love.graphics.circle("fill", 400, 300, 100)
  love.graphics.draw(canvas, 50, 300, 0.3)
  love.graphics.print("A window of LÖVE", 20, 20, 0, 2)
end
