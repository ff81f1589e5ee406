defmodule HiloRange do
  use Agent

  def start_link(_), do: Agent.start_link(fn -> %{epoch: make_ref()} end, name: __MODULE__)

  # a new connection may lead to another database; migrations have no agent
  def forget(_),
    do: Process.whereis(__MODULE__) && Agent.update(__MODULE__, fn _ -> %{epoch: make_ref()} end)

  def next(generator, block) do
    key = {Agent.get(__MODULE__, & &1.epoch), Repo.get_dynamic_repo(), generator}
    Agent.get_and_update(__MODULE__, &take(&1, key)) || refill(key, block)
  end

  defp take(ids, key) do
    case ids do
      %{^key => [id | rest]} -> {id, %{ids | key => rest}}
      _ -> {nil, ids}
    end
  end

  defp refill({_, _, generator} = key, block) do
    %{rows: [[low, high]]} =
      Repo.query!("SELECT low, high FROM hilo_next_range($1, $2)", [generator, block])

    rest = Enum.to_list((low + 1)..high//1)
    Agent.update(__MODULE__, &Map.update(&1, key, rest, fn ids -> ids ++ rest end))
    low
  end
end
