"""The invoices of keeps_numbers in OrmTest: one that is posted, and a draft that is posted later."""


def numbers(model, save):
    for state in "posted", "draft":
        invoice = model(customer=7, state=state, total=10)
        save(invoice)
        if state == "draft":
            invoice.state = "posted"
            save(invoice)
        print(invoice.number)
        invoice.total = 20
        save(invoice)
        print(invoice.number)
