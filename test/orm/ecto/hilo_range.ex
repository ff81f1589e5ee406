defmodule HiloRange do
  use Agent

  def start_link(_), do: Agent.start_link(fn -> %{} end, name: __MODULE__)

  def next(generator, block) do
    Agent.get_and_update(__MODULE__, &take(&1, generator)) || refill(generator, block)
  end

  defp take(ids, generator) do
    case ids do
      %{^generator => [id | rest]} -> {id, %{ids | generator => rest}}
      _ -> {nil, ids}
    end
  end

  defp refill(generator, block) do
    %{rows: [[low, high]]} =
      Repo.query!("SELECT low, high FROM hilo_next_range($1, $2)", [generator, block])

    rest = Enum.to_list((low + 1)..high//1)
    Agent.update(__MODULE__, &Map.update(&1, generator, rest, fn ids -> ids ++ rest end))
    low
  end
end
